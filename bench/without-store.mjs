/** The baseline of `ingest.mjs`, a companion process: the application with a store that keeps nothing. */
import { freePort, writeConfiguration } from './program.mjs';
import { startWithoutStore } from './wiring.mjs';

const { folder, robotsPort } = JSON.parse(process.argv[2] ?? '{}');
const { app, url } = await startWithoutStore(
  writeConfiguration(folder, { port: await freePort(), robotsPort, channels: 1 }),
);
print({ url });
process.stdin.resume();
process.stdin.on('end', async () => {
  await app.close();
  print({});
  process.exit(0);
});

function print(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** The baseline of `ingest.mjs`, a companion process: the application with a store that keeps nothing. */
import { writeConfiguration } from './program.mjs';
import { startWithoutStore } from './wiring.mjs';

const { folder, robotsPort } = JSON.parse(process.argv[2] ?? '{}');
const app = await startWithoutStore(writeConfiguration(folder, { port: 0, robotsPort, channels: 1 }));
print({ url: `http://127.0.0.1:${app.http.server.address().port}` });
process.stdin.resume();
process.stdin.on('end', async () => {
  await app.close();
  print({});
  process.exit(0);
});

function print(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

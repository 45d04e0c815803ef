import { statSync } from 'node:fs';
import { buildApp } from '../app.ts';
import type { AppPort, BuildOptions, Finding, RunningApp } from '../commands/context.ts';
import { AlertcardError } from '../domain/errors.ts';
import type { Settings } from '../domain/settings.ts';
import { backupTo } from '../store/backup.ts';
import { examine } from '../store/doctor.ts';
import { buildLive } from './live.ts';
import { previewMessages } from './preview.ts';
import { sampleTemplates } from './sample-templates.ts';
import { startSandbox } from './sandbox.ts';

/** What the command line asks of the program. */
export function commandPort(version: string): AppPort {
  return {
    build: (settings, options) => build(settings, options, version),
    startSandbox,
    preview: async (settings, input) => previewMessages(buildLive(settings), input, Date.now()),
    checkTemplates: async (settings) => templateProblems(settings),
    sampleTemplates: async (settings) => sampleTemplates(settings, Date.now()),
    backup: async (settings, file) => {
      backupTo(settings.store.path, file);
      return { bytes: statSync(file).size };
    },
    examine: async (settings) => findings(settings),
  };
}

async function build(settings: Settings, options: BuildOptions, version: string): Promise<RunningApp> {
  const app = await buildApp(settings, { ...options, version });
  return {
    address: await app.listen(),
    reload: () => app.reload(),
    drain: () => app.drain(),
    closed: app.closed,
  };
}

/** Templates that do not compile, and names that no template has. */
function templateProblems(settings: Settings): readonly string[] {
  const { templates } = buildLive(settings);
  const named = [...settings.channels.values()].flatMap(({ provider, template, locale }) => {
    const served = templates.find(provider, template, locale);
    return served?.broken === undefined ? [] : [served.broken];
  });
  const all = [...templates.broken, ...named];
  return [...new Set(all.map(({ template, message }) => `${template}: ${message}`))];
}

function findings(settings: Settings): readonly Finding[] {
  const subject = 'store';
  try {
    const report = examine(settings.store.path);
    const isSound = report.integrity.join() === 'ok';
    return [
      {
        level: isSound ? 'ok' : 'untrusted',
        subject,
        text: isSound
          ? `sound: ${report.fileBytes} bytes, schema ${report.schemaVersion}, ${report.journalMode}`
          : `damaged, restore a backup: ${report.integrity.slice(0, 5).join('; ')}`,
      },
    ];
  } catch (error) {
    if (!(error instanceof AlertcardError)) throw error;
    const level = error.code === 'not_found' ? 'warning' : 'untrusted';
    return [{ level, subject, text: error.message }];
  }
}

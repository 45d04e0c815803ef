import { fileURLToPath } from 'node:url';
import { hashParts } from '../domain/dedup.ts';
import { makeId } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import { lineRank, rankOf } from '../domain/severity.ts';
import type { CardRequest, ComposedCard } from '../render/card-input.ts';
import { makeComposer } from '../render/compose.ts';
import { loadTemplates, type Templates } from '../render/templates.ts';
import { createPlanner, type Planner } from '../route/plan.ts';

/** Everything that a reload replaces, as one value: a reader never sees half of it. */
export interface Live {
  readonly settings: Settings;
  readonly templates: Templates;
  readonly planner: Planner;
  readonly compose: (request: CardRequest) => ComposedCard;
}

/** The templates that come with the program: beside `src` as beside `dist`. */
export const BUILT_IN_TEMPLATES = fileURLToPath(new URL('../../templates', import.meta.url));

/** Builds what follows from settings and the template files. Reads the disk, changes nothing. */
export function buildLive(settings: Settings): Live {
  const { severity, links, server } = settings;
  const templates = loadTemplates({ builtIn: BUILT_IN_TEMPLATES, own: settings.templatesDir });
  return {
    settings,
    templates,
    planner: createPlanner(settings, {
      rankOf: (labels) => rankOf(labels, severity).rank,
      lineRank,
      hashParts,
      makeDeliveryId: () => makeId('dlv'),
    }),
    compose: makeComposer({
      templates,
      severity,
      links,
      publicUrl: server.publicUrl,
      isSandbox: settings.sandbox,
    }),
  };
}

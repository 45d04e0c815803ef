import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale, ProviderName } from '../domain/settings.ts';
import { type Engine, makeEngine } from './engine.ts';
import { compileTemplate, type Template } from './template.ts';

/** A template that could not be used, as `check` reports it. */
export interface BrokenTemplate {
  /** `dingtalk/payments` or `dingtalk/payments.en` */
  readonly template: string;
  readonly file: string;
  readonly message: string;
}

/** What serves a channel. */
export interface Served {
  readonly template: Template;
  /** The team's own one of that name is broken, or there is none of that name at all. */
  readonly broken: BrokenTemplate | undefined;
}

/** All templates, compiled at load. */
export interface Templates {
  /** The template of a channel; undefined when not even a built-in one serves: then our plain card does. */
  find(provider: ProviderName, name: string, locale: Locale): Served | undefined;
  /** The built-in one of that name, or the built-in default: for a template that fails at run time. */
  builtIn(provider: ProviderName, name: string, locale: Locale): Template | undefined;
  readonly broken: readonly BrokenTemplate[];
}

export interface TemplateDirectories {
  /** Absolute path of the templates that come with the program. */
  readonly builtIn: string;
  /** A team's own, shadowing the built-in ones by name; undefined when none. */
  readonly own: string | undefined;
}

const PROVIDERS: readonly ProviderName[] = ['dingtalk', 'feishu'];
const DEFAULT_NAME = 'default';

interface Shelf {
  readonly byName: ReadonlyMap<string, Template>;
  readonly broken: ReadonlyMap<string, BrokenTemplate>;
}

/** Reads and compiles every `<provider>/<name>[.<locale>].hbs`; never throws for a template. */
export function loadTemplates(directories: TemplateDirectories): Templates {
  const engine = makeEngine();
  const builtIn = loadShelf(engine, directories.builtIn);
  const own = directories.own === undefined ? EMPTY : loadShelf(engine, directories.own);
  return {
    find: (provider, name, locale) => find(own, builtIn, provider, name, locale),
    builtIn: (provider, name, locale) => findBuiltIn(builtIn, provider, name, locale),
    broken: [...own.broken.values(), ...builtIn.broken.values()],
  };
}

const EMPTY: Shelf = { byName: new Map(), broken: new Map() };

function loadShelf(engine: Engine, directory: string): Shelf {
  const byName = new Map<string, Template>();
  const broken = new Map<string, BrokenTemplate>();
  for (const provider of PROVIDERS) {
    for (const file of templateFiles(directory, provider)) {
      const name = `${provider}/${file.slice(0, -'.hbs'.length)}`;
      const path = join(directory, provider, file);
      try {
        byName.set(name, compileTemplate(engine, name, path, readFileSync(path, 'utf8')));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        broken.set(name, { template: name, file: path, message });
      }
    }
  }
  return { byName, broken };
}

/** In one order on every machine; a provider without a folder has none. */
function templateFiles(directory: string, provider: string): readonly string[] {
  try {
    return readdirSync(join(directory, provider))
      .filter((file) => file.endsWith('.hbs'))
      .sort();
  } catch {
    return [];
  }
}

/** A template for the locale goes before one for all, a team's own before the built-in. */
function find(
  own: Shelf,
  builtIn: Shelf,
  provider: ProviderName,
  name: string,
  locale: Locale,
): Served | undefined {
  const keys = [`${provider}/${name}.${locale}`, `${provider}/${name}`];
  const broken = keys.flatMap((key) => own.broken.get(key) ?? [])[0];
  const found = keys.flatMap((key) => own.byName.get(key) ?? [])[0];
  if (found !== undefined) return { template: found, broken };
  const exists = keys.some((key) => builtIn.byName.has(key) || builtIn.broken.has(key));
  const template = findBuiltIn(builtIn, provider, name, locale);
  if (template === undefined) return undefined;
  return { template, broken: broken ?? (exists ? undefined : missing(provider, name)) };
}

function findBuiltIn(
  builtIn: Shelf,
  provider: ProviderName,
  name: string,
  locale: Locale,
): Template | undefined {
  return [name, DEFAULT_NAME]
    .flatMap((each) => [`${provider}/${each}.${locale}`, `${provider}/${each}`])
    .flatMap((key) => builtIn.byName.get(key) ?? [])[0];
}

function missing(provider: ProviderName, name: string): BrokenTemplate {
  const template = `${provider}/${name}`;
  return { template, file: '', message: `there is no template ${template}.hbs` };
}

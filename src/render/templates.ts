import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale, ProviderName } from '../domain/settings.ts';
import { type Engine, makeEngine } from './engine.ts';
import { compileJsonTemplate, compileTemplate, type JsonTemplate, type Template } from './template.ts';

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
  /** A team's own template of that name that writes the vendor's JSON; it goes before the others. */
  findJson(provider: ProviderName, name: string, locale: Locale): JsonTemplate | undefined;
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
  readonly json: ReadonlyMap<string, JsonTemplate>;
  readonly broken: ReadonlyMap<string, BrokenTemplate>;
}

/** Reads and compiles every `<provider>/<name>[.<locale>][.json].hbs`; never throws for a template. */
export function loadTemplates(directories: TemplateDirectories): Templates {
  const engine = makeEngine();
  const builtIn = loadShelf(engine, directories.builtIn);
  const own = directories.own === undefined ? EMPTY : loadShelf(engine, directories.own);
  return {
    find: (provider, name, locale) => find(own, builtIn, provider, name, locale),
    findJson: (provider, name, locale) =>
      keysOf(provider, name, locale).flatMap((key) => own.json.get(`${key}.json`) ?? [])[0],
    builtIn: (provider, name, locale) => findBuiltIn(builtIn, provider, name, locale),
    broken: [...own.broken.values(), ...builtIn.broken.values()],
  };
}

const EMPTY: Shelf = { byName: new Map(), json: new Map(), broken: new Map() };

function loadShelf(engine: Engine, directory: string): Shelf {
  const byName = new Map<string, Template>();
  const json = new Map<string, JsonTemplate>();
  const broken = new Map<string, BrokenTemplate>();
  for (const provider of PROVIDERS) {
    for (const file of templateFiles(directory, provider)) {
      const name = `${provider}/${file.slice(0, -'.hbs'.length)}`;
      const path = join(directory, provider, file);
      try {
        const text = readFileSync(path, 'utf8');
        if (name.endsWith('.json')) json.set(name, compileJsonTemplate(engine, name, path, text));
        else byName.set(name, compileTemplate(engine, name, path, text));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        broken.set(name, { template: name, file: path, message });
      }
    }
  }
  return { byName, json, broken };
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
  const keys = keysOf(provider, name, locale);
  const jsonKeys = keys.map((key) => `${key}.json`);
  const broken = [...jsonKeys, ...keys].flatMap((key) => own.broken.get(key) ?? [])[0];
  const found = keys.flatMap((key) => own.byName.get(key) ?? [])[0];
  if (found !== undefined) return { template: found, broken };
  const exists =
    keys.some((key) => builtIn.byName.has(key) || builtIn.broken.has(key)) ||
    jsonKeys.some((key) => own.json.has(key));
  const template = findBuiltIn(builtIn, provider, name, locale);
  if (template === undefined) return undefined;
  return { template, broken: broken ?? (exists ? undefined : missing(provider, name)) };
}

/** The one for the locale first. */
function keysOf(provider: ProviderName, name: string, locale: Locale): readonly string[] {
  return [`${provider}/${name}.${locale}`, `${provider}/${name}`];
}

function findBuiltIn(
  builtIn: Shelf,
  provider: ProviderName,
  name: string,
  locale: Locale,
): Template | undefined {
  return [name, DEFAULT_NAME]
    .flatMap((each) => keysOf(provider, each, locale))
    .flatMap((key) => builtIn.byName.get(key) ?? [])[0];
}

function missing(provider: ProviderName, name: string): BrokenTemplate {
  const template = `${provider}/${name}`;
  return { template, file: '', message: `there is no template ${template}.hbs` };
}

/** What the tests use of nock 15. It is no dependency of the tree: it needs Node 22, and only this suite runs it. */
declare module 'nock' {
  interface Interceptor {
    query(matches: (query: Record<string, string>) => boolean): Interceptor;
    reply(status: number, answer: string | Readonly<Record<string, unknown>>): Scope;
  }

  interface Scope {
    post(path: string, matches?: (body: Record<string, unknown>) => boolean): Interceptor;
    isDone(): boolean;
    pendingMocks(): string[];
  }

  interface Nock {
    (origin: string): Scope;
    disableNetConnect(): void;
    enableNetConnect(host: RegExp): void;
    cleanAll(): void;
    restore(): void;
    pendingMocks(): string[];
    readonly emitter: {
      on(event: 'no match', listener: (request: { readonly url: string }) => void): void;
    };
  }

  const nock: Nock;

  // biome-ignore lint/style/noDefaultExport: the package has no other export
  export { nock as default };
}

// What sw.js uses of a service worker: the DOM types of pages have no scope of workers.

interface ExtendableEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Response | Promise<Response>): void;
}

interface ServiceWorkerGlobalScope {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
}

/** Written above sw.js by the server. */
declare const APP: {
  version: string;
  /** The path of the shell and of the folder of this version. */
  shell: string;
  /** What is stored when the version is installed. */
  files: string[];
  /** The first parts of paths that are left to the server. */
  online: string[];
};

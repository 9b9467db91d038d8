// The few functions of Node that the package uses, so that its types need no other package.
declare module "node:fs/promises" {
  export function readFile(path: URL): Promise<Uint8Array>;
  export function readFile(path: string, encoding: "utf8"): Promise<string>;
  export function readdir(path: string): Promise<string[]>;
}

declare module "node:crypto" {
  export const webcrypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
}

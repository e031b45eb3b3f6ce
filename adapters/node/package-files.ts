import { existsSync } from 'node:fs'

let root: URL | undefined

/** The address of a file or folder of this package, by its path from package.json. The program may lie in any folder below it. */
export function packageFile(path: string): URL {
  root ??= rootOf(new URL('.', import.meta.url))
  return new URL(path, root)
}

function rootOf(folder: URL): URL {
  const above = new URL('..', folder)
  return above.href === folder.href || existsSync(new URL('package.json', folder)) ? folder : rootOf(above)
}

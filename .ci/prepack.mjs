// `npm pack` takes what is built: compiles what changed, and takes away what was compiled from files that are gone.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const published = ['engine', 'profiles', 'projections', 'adapters', 'conformance']

for (const folder of published.filter((name) => existsSync(join(root, 'dist', name))))
  for (const path of readdirSync(join(root, 'dist', folder), { recursive: true })) {
    const [, module] = /^(.*?)\.(?:d\.ts|js)(?:\.map)?$/.exec(path) ?? []
    if (module !== undefined && !existsSync(join(root, folder, `${module}.ts`)))
      rmSync(join(root, 'dist', folder, path))
  }
const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1

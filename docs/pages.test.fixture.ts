import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder as root } from '../conformance/program/files.ts'

/** Pages that lie where GitHub looks for them. */
const elsewhere = ['README.md', ...['CONTRIBUTING', 'SECURITY', 'CODE_OF_CONDUCT'].map((name) => `.github/${name}.md`)]

/** Every page of the documentation by its path. */
export const pages = new Map(
  [
    ...elsewhere,
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) => `docs/${path}`),
  ]
    .filter((path) => path.endsWith('.md') && existsSync(join(root, path)))
    .sort()
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)

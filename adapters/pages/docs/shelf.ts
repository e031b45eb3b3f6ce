import { readdir, readFile } from 'node:fs/promises'
import { posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../../node/package-files.ts'

/** A page of the documentation, written in Markdown. */
export interface Article {
  /** Its place below `/docs/`, without an ending; empty for the first page. */
  readonly path: string
  /** Its file in the folder of the documentation, as the links of other pages name it. */
  readonly file: string
  readonly title: string
  readonly markdown: string
}

/** Articles under one heading of the navigation. */
export interface Section {
  readonly title: string
  readonly articles: readonly Article[]
}

/** The documentation that is installed with this server. */
export interface Shelf {
  readonly sections: readonly Section[]
  /** The article of a path, or of a file. */
  find(pathOrFile: string): Article | undefined
  /** Reads a file that is no article: a picture or an example; undefined if there is none of this name. */
  read(file: string): Promise<ShelfFile | undefined>
  has(file: string): boolean
}

/** A file that is no article. */
interface ShelfFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The sections in their order; the first folder that holds an article is its section. */
const folders = [
  ['Tutorial', 'tutorial'],
  ['How to', 'how-to'],
  ['REST interface', 'reference/rest'],
  ['Formats', 'reference/formats'],
  ['Reference', 'reference'],
  ['Decisions', 'explanation/decisions'],
  ['Explanation', 'explanation'],
  ['Deployment', 'deploy'],
  ['Examples', 'examples'],
] as const

const types: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
}

const root = packageFile('docs/')

/** Reads the articles, which `npm pack` puts beside the program; an installation without them has an empty shelf. */
export async function readShelf(): Promise<Shelf> {
  const files = await filesIn(fileURLToPath(root))
  const articles = await Promise.all(files.filter((file) => file.endsWith('.md')).map(readArticle))
  const byName = new Map(
    articles.flatMap((article) => [[article.path, article] as const, [article.file, article] as const]),
  )
  const others = new Set(files.filter((file) => typeOf(file) !== undefined))
  return {
    sections: sectionsOf(articles),
    find: (name) => byName.get(name),
    has: (file) => others.has(file),
    read: async (file) => {
      const type = others.has(file) ? typeOf(file) : undefined
      return type === undefined ? undefined : { type, bytes: new Uint8Array(await readFile(new URL(file, root))) }
    },
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder, { recursive: true })
    return names.map((name) => name.replaceAll(sep, '/')).sort()
  } catch {
    return []
  }
}

async function readArticle(file: string): Promise<Article> {
  const markdown = await readFile(new URL(file, root), 'utf8')
  const [, title = file] = /^# (.+)$/m.exec(markdown) ?? []
  const path = file.replace(/(^|\/)README\.md$|\.md$/, '')
  return { path, file, title: title.replaceAll('`', ''), markdown }
}

function sectionsOf(articles: readonly Article[]): readonly Section[] {
  const folderOf = ({ file }: Article) =>
    longest(folders.flatMap(([, folder]) => (file.startsWith(`${folder}/`) ? folder : [])))
  return folders.flatMap(([title, folder]) => {
    const own = articles.filter((article) => folderOf(article) === folder)
    const isList = ({ path }: Article) => path === folder
    const sorted = [...own.filter(isList), ...own.filter((one) => !isList(one)).sort(byTitle)]
    return own.length === 0 ? [] : [{ title, articles: sorted }]
  })
}

function longest(names: readonly string[]): string {
  return names.reduce((one, two) => (two.length > one.length ? two : one), '')
}

function byTitle(one: Article, two: Article): number {
  return one.title.localeCompare(two.title, 'en')
}

function typeOf(file: string): string | undefined {
  return types[posix.extname(file).slice(1)]
}

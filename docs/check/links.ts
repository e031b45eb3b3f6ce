import { posix } from 'node:path'
import { freeAnchor, plainOf } from '../../adapters/pages/docs/places.ts'
import { withoutFences } from './blocks.ts'

/** The pages of a project by their paths, and whether any other path exists in it. */
interface Tree {
  readonly pages: ReadonlyMap<string, string>
  exists(path: string): boolean
}

/** Where the links of a page lead within the project: paths from its root, without anchors. */
export function targetsOf(path: string, markdown: string): readonly string[] {
  return linksOf(markdown).map((link) => pathOf(path, link))
}

/** A sentence for every link of a page, image or anchor that leads nowhere within the project. */
export function brokenLinks(path: string, { pages, exists }: Tree): readonly string[] {
  return linksOf(pages.get(path) ?? '').flatMap((link) => {
    const target = pathOf(path, link)
    const [, anchor] = link.split('#')
    if (target.startsWith('../')) return [`${path}: ${link} leaves the project`]
    const markdown = pages.get(target)
    if (markdown === undefined && !exists(target)) return [`${path}: ${link} is not there`]
    if (anchor === undefined || markdown === undefined || anchorsOf(markdown).has(anchor)) return []
    return [`${path}: ${link} has no such heading`]
  })
}

/** Targets of the links and images of a page that are relative. */
function linksOf(markdown: string): readonly string[] {
  const prose = withoutFences(markdown).replace(/`[^`\n]*`/g, '')
  const targets = [...prose.matchAll(/\]\(([^()\s]+)(?:\s+"[^"]*")?\)/g)].map(([, target = '']) => target)
  return targets.filter((target) => !/^([a-z][a-z0-9+.-]*:|\/)/i.test(target))
}

function pathOf(page: string, link: string): string {
  const [path = ''] = link.split('#')
  return path === '' ? page : posix.normalize(posix.join(posix.dirname(page), decodeURI(path))).replace(/\/$/, '')
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6}\s+(.+?)\s*$/gm))
    freeAnchor(plainOf(heading), anchors)
  return anchors
}

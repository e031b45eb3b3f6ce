import { EngineError, excerptOf, type Operation } from '../../../engine/index.ts'
import { guides } from '../guides.ts'
import type { Published } from '../published.ts'
import { boundedText, operationNamed, readBy } from '../read.ts'
import type { Resource } from '../resource.ts'

/** The codebook, the formats, the schema of a timeline, and the how-to pages. */
export function referenceResources(operations: readonly Operation[], published: Published): readonly Resource[] {
  return [
    {
      uri: 'otep://codebook/{profile}',
      name: 'codebook',
      title: 'Codebook of a profile',
      description: 'Every status code and phase of a trade: its meaning, and which codes may follow it.',
      mimeType: 'application/json',
      complete: { profile: ({ context }) => context.profiles.map(({ name }) => name) },
      list: ({ profiles }) => profiles.map(({ name }) => ({ values: { profile: name }, title: `Codebook: ${name}` })),
      read: async ({ profile = '' }, { context }) => {
        const wanted = context.profiles.filter(({ name }) => name === profile)
        if (wanted.length === 0) throw missing(profile)
        return boundedText(await published.codebook(wanted), context)
      },
    },
    ...formatsOf(operations),
    {
      uri: 'otep://schema/timeline',
      name: 'timeline-schema',
      title: 'JSON Schema of a timeline',
      description: 'The structure of a document that is pushed to otep_ingest.',
      mimeType: 'application/schema+json',
      server: 'developer',
      read: async (_, { context }) => boundedText(await published.timelineSchema(), context),
    },
    {
      uri: 'otep://how-to/{page}',
      name: 'how-to',
      title: 'How-to page',
      description: 'A page of the documentation, with commands that work as they stand.',
      mimeType: 'text/markdown',
      server: 'developer',
      complete: { page: () => guides().map(({ name }) => name) },
      list: () => guides().map(({ name, title }) => ({ values: { page: name }, title })),
      read: async ({ page = '' }) => {
        const found = guides().find(({ name }) => name === page)
        if (found === undefined) throw missing(page)
        return found.text
      },
    },
  ]
}

function formatsOf(operations: readonly Operation[]): readonly Resource[] {
  const formats = operationNamed(operations, 'otep_formats')
  if (formats === undefined) return []
  return [
    {
      uri: 'otep://formats',
      name: 'formats',
      title: 'Formats',
      description: 'All formats: what becomes of each status code in them, and what is lost.',
      mimeType: 'application/json',
      read: async (_, asking) => boundedText(await readBy(formats, {}, asking), asking.context),
    },
  ]
}

function missing(name: string): EngineError {
  return new EngineError('unknown_resource', { received: excerptOf(name) })
}

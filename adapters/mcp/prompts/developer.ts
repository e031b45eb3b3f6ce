import { profileNamed } from '../../../engine/index.ts'
import { type Prompt, said } from '../prompt.ts'
import type { Complete } from '../resource.ts'

/** The prompts for integrators and coding agents. */
export const developerPrompts: readonly Prompt[] = [
  {
    name: 'push_first_event',
    title: 'Push your first event',
    description: 'Writes a small client that pushes one event, and checks it before it is sent.',
    tools: ['search_reference', 'get_operation', 'otep_validate'],
    arguments: [
      { name: 'language', description: 'The programming language, such as TypeScript or Python.', required: true },
      {
        name: 'profile',
        description: 'The trade. Default: parcel.',
        complete: ({ context }) => context.profiles.map(({ name }) => name),
      },
      {
        name: 'status_code',
        description: 'What has happened, as a code of the profile. Default: the first code of a timeline.',
        complete: ({ context }, { profile }) => Object.keys(profileNamed(context.profiles, profile).codes),
      },
    ],
    messages: async ({ language, profile: name, status_code }, { context }) => {
      const profile = profileNamed(context.profiles, name)
      const event = {
        subject: { tracking_number: 'DEMO-1' },
        profile: profile.name,
        event_id: 'demo-1-first',
        status_code: status_code ?? profile.first[0],
        occurred_at: new Date(context.clock()).toISOString(),
      }
      return [
        said(
          `Write a small ${language} program that pushes this event to ${context.baseUrl}/api/v1/otep/ingest:`,
          JSON.stringify(event, undefined, 2),
          `Read get_operation of otep_ingest and the resources otep://codebook/${profile.name} and otep://how-to/push-events first.`,
          'The key of the provider comes from the environment variable OTEP_KEY, and is never printed.',
          'Send an event_id, so that sending again is a duplicate. Retry on 429 and 503 as Retry-After says, on nothing else.',
          `Check the document with otep_validate before you answer, and end with the command that reads it back from ${context.baseUrl}/api/v1/otep/trackings/DEMO-1.`,
        ),
      ]
    },
  },
  {
    name: 'check_document',
    title: 'Check my document',
    description: 'Explains what is wrong with a document, and what is lost of it in another format.',
    tools: ['project_document', 'search_reference'],
    arguments: [
      { name: 'document', description: 'The document, as text.', required: true },
      { name: 'format', description: 'Its format. Default: otep.', complete: formats },
      { name: 'to', description: 'The format that it is wanted in. Default: otep.', complete: formats },
    ],
    messages: async ({ document = '', format = 'otep', to = 'otep' }) => [
      said(
        `Check this document of the format ${format}, and say what becomes of it in ${to}.`,
        `Call project_document with format=${format} and to=${to}. For each finding say where it is, which clause it violates and`,
        'how the document has to read; look up codes with search_reference. Then give the corrected document, and say what is lost.',
        '',
        document,
      ),
    ],
  },
]

function formats(...[{ context }]: Parameters<Complete>): readonly string[] {
  return context.formats.map(({ name }) => name)
}

import { otepVersion, type Profile, phaseOf, sourceTypes } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { code, codes, page, plain, table } from './markdown.ts'

/** Every code and phase of every profile. */
export function codebookPage(): string {
  return page(
    'Codebook',
    [...profiles.map(({ name }) => `profiles/${name}.ts`), 'engine/domains/tracking/schema.ts'],
    [
      `Version ${otepVersion} of the protocol. The same as JSON: \`GET /api/otep-guide/codebook.json\`.
A code is addressed \`otep:<profile>:<code>\`, a phase \`otep:phase:<name>\`. A code that starts with \`x-\` is
unregistered; its phase is ${code(phaseOf(profiles[0], 'x-') ?? '')}.`,
      ...profiles.flatMap(profileParts),
      '## Types of source',
      `\`source.type\` of an event is one of: ${codes(sourceTypes)}.`,
    ],
  )
}

function profileParts(profile: Profile): readonly string[] {
  const { name, version, status, phases, sidePhases, first } = profile
  const rows = Object.entries(profile.codes).map(([word, { phase, terminal, pod, meaning }], index) => [
    String(index + 1),
    code(word),
    code(phase),
    terminal ? 'yes' : '',
    pod ? 'yes' : '',
    plain(meaning),
  ])
  return [
    `## Profile ${name}`,
    `Version ${version}, ${status}. ${rows.length} codes. *Terminal*: nothing is expected to follow. *Proof*: the event
may have proof (\`pod\`) of the handover.`,
    table(['#', 'code', 'phase', 'terminal', 'proof', 'meaning'], rows),
    `Phases on the main line, in order: ${codes(phases)}. Phases beside it: ${codes(sidePhases)}.`,
    `A timeline begins with one of: ${codes(first)}.`,
  ]
}

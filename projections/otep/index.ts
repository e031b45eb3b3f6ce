import { type Projection, type Timeline, timelineSchema } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { pieces, project, write } from './project.ts'

/** The native format: the timeline unchanged (OTEP 0.1, section 3). */
export const otep: Projection<Timeline> = {
  name: 'otep',
  title: 'Open Tracking Event Protocol',
  standard: 'OTEP 0.1',
  version: '0.1',
  representations: [],
  kind: 'history',
  external: false,
  codes: Object.fromEntries(
    profiles.map((profile) => [
      profile.name,
      Object.fromEntries(
        [...Object.keys(profile.codes), 'x-*'].map((code) => [code, { fidelity: '=', value: code } as const]),
      ),
    ]),
  ),
  losses: [],
  schema: timelineSchema,
  project,
  write,
  pieces,
}

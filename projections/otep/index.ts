import { type Projection, type Timeline, timelineSchema } from '../../engine/index.ts'
import { keptMappings } from '../shared/codes.ts'
import { paged, pieces, project, steps, write } from './project.ts'

/** The native format: the timeline unchanged (OTEP 0.1, section 3). */
export const otep: Projection<Timeline> = {
  name: 'otep',
  title: 'Open Tracking Event Protocol',
  standard: 'OTEP 0.1',
  version: '0.1',
  representations: [],
  kind: 'history',
  external: false,
  codes: keptMappings((_, code) => code, ['x-*']),
  keepsInherited: true,
  losses: [],
  events: ({ events }) => events,
  schema: timelineSchema,
  project,
  steps,
  write,
  pieces,
  paged,
}

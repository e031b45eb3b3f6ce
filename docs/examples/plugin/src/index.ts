import { definePlugin } from 'otep-engine/plugin'
import { board } from './board.ts'
import { repair } from './repair.ts'

export { board } from './board.ts'
export { repair } from './repair.ts'

/** What `otep serve --plugin otep-plugin-example` adds. */
export const plugin = definePlugin({ projections: [board], profiles: [repair] })

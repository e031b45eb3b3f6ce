import { append } from './append.ts'
import { backup } from './backup.ts'
import { besideOthers } from './beside-others.ts'
import { byOneself } from './by-oneself.ts'
import { capture } from './capture.ts'
import { catchUp } from './catch-up.ts'
import { cold } from './cold.ts'
import { deadlines } from './deadlines.ts'
import { distributed } from './distributed.ts'
import { fairness } from './fairness/index.ts'
import { fold } from './fold.ts'
import { formatTopics } from './formats.ts'
import { growth } from './growth.ts'
import type { Topic } from './harness.ts'
import { hashes } from './hashes.ts'
import { ingest } from './ingest.ts'
import { length } from './length.ts'
import { long } from './long.ts'
import { manyEvents } from './many-events.ts'
import { mcp } from './mcp.ts'
import { newNode } from './new-node.ts'
import { orders } from './orders.ts'
import { queries } from './queries.ts'
import { read } from './read.ts'
import { rebuild } from './rebuild.ts'
import { sensors } from './sensors.ts'
import { shell } from './shell.ts'
import { shipping } from './shipping.ts'
import { startUp } from './start-up.ts'
import { streams } from './streams.ts'
import { twoNodes } from './two-nodes.ts'
import { validation } from './validation.ts'
import { webhooks } from './webhooks.ts'
import { workers } from './workers.ts'
import { xml } from './xml.ts'

/** The list of topics, in the order in which they run. */
export const topics: readonly Topic[] = [
  ...formatTopics,
  hashes,
  validation,
  xml,
  fold,
  length,
  cold,
  ingest,
  capture,
  queries,
  sensors,
  append,
  distributed,
  byOneself,
  besideOthers,
  manyEvents,
  twoNodes,
  read,
  shell,
  mcp,
  shipping,
  orders,
  webhooks,
  deadlines,
  long,
  fairness,
  streams,
  growth,
  startUp,
  newNode,
  workers,
  catchUp,
  rebuild,
  backup,
]

/** Names of several topics at once. */
export const groups: Readonly<Record<string, readonly Topic[]>> = { formats: formatTopics }

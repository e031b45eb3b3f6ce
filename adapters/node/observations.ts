import type { Context } from '../../engine/index.ts'

/** The Observations of SensorThings, for interfaces that are not HTTP. */
export interface Observations {
  /** Creates an Observation in a Datastream, and returns it as a read does; throws refusals. */
  create(context: Context, datastream: string, body: unknown): Promise<object>
  /** The latest Observations of a Datastream that the caller may read, newest first; throws `resource_not_found`. */
  latest(context: Context, datastream: string, limit: number): Promise<readonly object[]>
}

import {
  isExperimental,
  otepVersion,
  type Profile,
  plannedAfter,
  skippedAfter,
  sourceTypes,
  timelineSchema,
} from '../../engine/index.ts'
import { type JsonSchema, jsonSchemaOf } from '../http/schema.ts'

/**
 * The codebook: every code and phase of every profile, with its address (`otep:<profile>:<code>`, `otep:phase:<name>`).
 */
export function codebook(profiles: readonly Profile[]): object {
  return {
    otep_version: otepVersion,
    experimental_prefix: 'x-',
    source_types: sourceTypes,
    profiles: profiles.map((profile) => ({
      name: profile.name,
      version: profile.version,
      status: profile.status,
      phases: [...profile.phases, ...profile.sidePhases].map((name, order) => ({
        id: `otep:phase:${name}`,
        name,
        ...(order < profile.phases.length ? { order } : {}),
      })),
      first: profile.first,
      codes: Object.entries(profile.codes)
        .filter(([code]) => !isExperimental(code))
        .map(([code, { phase, terminal, pod, meaning, like }]) => ({
          id: `otep:${profile.name}:${code}`,
          code,
          phase,
          terminal,
          pod,
          meaning,
          ...(like === undefined ? {} : { like }),
          next: plannedAfter(profile, code),
          skipped: skippedAfter(profile, code),
        })),
    })),
  }
}

/**
 * The JSON Schema of a timeline document. It covers the structure; the meaning of events is checked by the validator.
 */
export function timelineJsonSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:otep:schema:timeline:${otepVersion}`,
    title: `OTEP timeline ${otepVersion}`,
    ...jsonSchemaOf(timelineSchema),
  }
}

export type { Profile, StatusCode } from '../../engine/kernel/profile.ts'
export type { Projection, Target } from '../../engine/kernel/projection.ts'
export type {
  Address,
  Location,
  ProofOfDelivery,
  Source,
  Subject,
  Timeline,
  TimelineEvent,
  Withdrawal,
} from '../../engine/kernel/timeline.ts'
export type { EventDocument, KnownCode, TimelineDocument } from './document.ts'
export type { Finding } from './finding.ts'
export type { Options } from './options.ts'
export { type TimelineResult, timelineFrom, timelineOf } from './read.ts'
export { type Status, statusOf } from './status.ts'
export { type Conformance, type ValidateOptions, validate } from './validate.ts'

import type { Notice, NoticeSource } from '../../../kernel/webhook-event.ts'
import { trackingNotices } from './source.ts'
import { trackingEventNotice } from './tracking-event.ts'

/** The notices of timelines. */
export const notices: readonly Notice[] = [trackingEventNotice]

/** The sources of these notices. */
export const noticeSources: readonly NoticeSource[] = [trackingNotices]

import type { Notice, NoticeSource } from '../../../kernel/notice.ts'
import { trackingNotices } from './announce.ts'
import { trackingEventNotice } from './tracking-event.ts'

/** The notices of timelines. */
export const notices: readonly Notice[] = [trackingEventNotice]

/** The sources of these notices. */
export const noticeSources: readonly NoticeSource[] = [trackingNotices]

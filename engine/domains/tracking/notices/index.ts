import type { Notice, NoticeSource } from '../../../kernel/notice.ts'
import { trackingNotices } from './announce.ts'
import { trackingEventNotice } from './tracking-event.ts'

/** What timelines tell. */
export const notices: readonly Notice[] = [trackingEventNotice]

/** What makes it of their facts. */
export const noticeSources: readonly NoticeSource[] = [trackingNotices]

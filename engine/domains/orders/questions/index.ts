import { otepClientTracking } from './client-tracking.ts'
import { dailyDigest } from './daily-digest.ts'
import { listExceptions } from './exceptions.ts'
import { getOrdersSummary } from './orders-summary.ts'
import { orderSnapshot } from './snapshot.ts'

/** What is asked of many orders at once, or of one from all sides. */
export const questionOperations = [orderSnapshot, listExceptions, dailyDigest, getOrdersSummary, otepClientTracking]

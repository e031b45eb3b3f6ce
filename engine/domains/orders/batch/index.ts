import { bulkCreateOrdersAsync, getAsyncBatchResult } from './async.ts'
import { bulkCreateOrders } from './bulk.ts'

/** What creates many orders, and what tells how far that has come. */
export const batchOperations = [bulkCreateOrders, bulkCreateOrdersAsync, getAsyncBatchResult]

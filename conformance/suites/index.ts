export type { Test } from './assertions.ts'
export { type MakeStore, type StoreUnderTest, storageSuite, storeSuite } from './store.ts'

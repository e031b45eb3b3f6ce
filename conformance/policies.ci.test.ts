import { killHolders } from './policies.test.fixture.ts'

await killHolders('the double of an EventStoreDB')

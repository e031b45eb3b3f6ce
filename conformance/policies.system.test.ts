import { killHolders } from './policies.test.fixture.ts'

await killHolders('one SQLite file')

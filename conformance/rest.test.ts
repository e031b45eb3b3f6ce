import t from 'tap'
import { restSuite } from './rest/suite.ts'

await restSuite(t, 'the REST interface on an SQLite file', { OTEP_DATA_DIR: t.testdir() })

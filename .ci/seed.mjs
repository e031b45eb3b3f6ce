// Loaded before each test where OTEP_TEST_SEED is set: properties then grow from that seed.
import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.OTEP_TEST_SEED) })

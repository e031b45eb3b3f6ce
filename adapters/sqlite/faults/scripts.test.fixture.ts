import type { Test } from 'tap'
import { deliveriesScript } from './deliveries.test.fixture.ts'
import { storeScript } from './facts.test.fixture.ts'
import { modelsScript } from './models.test.fixture.ts'
import { restoreScript } from './restore.test.fixture.ts'
import { type Choice, survives } from './script.test.fixture.ts'

/** Runs every script with the chosen faults. */
export async function surviveAll(t: Test, choice: Choice): Promise<void> {
  await t.test('the store', (t) => survives(t, storeScript, choice))
  await t.test('read models', (t) => survives(t, modelsScript, choice))
  await t.test('deliveries of webhooks', (t) => survives(t, deliveriesScript, choice))
  await t.test('backup, restore and import', (t) => survives(t, restoreScript, choice))
}

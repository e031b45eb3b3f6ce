import type { Page } from 'playwright-core'

/** Signs in as Ann at the address where a program asks, and allows it all but these scopes. */
export async function signInAndAllow(
  page: Page,
  address: string,
  password: string,
  ...unchecked: readonly string[]
): Promise<void> {
  await page.goto(address)
  await page.getByLabel('Email address').fill('ann@one.example')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'May this program act in your name?' }).waitFor()
  for (const name of unchecked) await page.getByRole('checkbox', { name }).uncheck()
  await page.getByRole('button', { name: 'Allow' }).click()
}

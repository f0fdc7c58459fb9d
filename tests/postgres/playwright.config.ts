import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

/** What a team does in several browsers, with two servers on one PostgreSQL. */
export default defineConfig({
  ...base,
  testDir: '../e2e',
  testMatch: 'team.spec.ts',
  globalSetup: '../support/postgres/global-setup.ts',
  outputDir: '../../test-results/postgres',
})

import fc from 'fast-check'
import { seed } from './sample.ts'

// A random test has the seed of the run, so that the command that a failure prints repeats its cases.
fc.configureGlobal({ seed })

import { availableParallelism } from 'node:os'

/** So many workers for each core. More than one keeps a core busy while tests wait for other processes. */
export const workersPerCore = (count: number): number => Math.ceil(availableParallelism() * count)

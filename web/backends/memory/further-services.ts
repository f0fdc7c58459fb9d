import type { HistoryService, TeamService } from '../ports.ts'
import type { Client } from './client.ts'
import { createHistoryService } from './history.ts'
import type { MemoryService } from './service.ts'
import { createTeamService } from './team.ts'

/** Those that the first screens do not need. */
export interface FurtherServices {
  team: TeamService
  history: HistoryService
}

export const createFurtherServices = (service: MemoryService, client: Client): FurtherServices => ({
  team: createTeamService(service, client),
  history: createHistoryService(service, client),
})

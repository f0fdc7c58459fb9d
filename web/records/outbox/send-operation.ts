import type { BatchResult } from '../../../contract/batches.ts'
import type { BatchOptions } from '../../backends/ports.ts'
import type { Store } from '../../store.ts'
import {
  addEmployee,
  deleteEmployee,
  restoreEmployee,
  updateEmployee,
  writeBatch,
} from '../sync/book-slice.ts'
import type { Operation } from './operation.ts'

/** Executes an operation by dispatching its thunk. Returns the result of a batch. Rejects with the thunk's error. */
export async function sendOperation(
  dispatch: Store['dispatch'],
  operation: Operation,
  options?: BatchOptions,
): Promise<BatchResult | undefined> {
  switch (operation.kind) {
    case 'add':
      await dispatch(addEmployee(operation)).unwrap()
      return
    case 'update':
      await dispatch(updateEmployee(operation)).unwrap()
      return
    case 'remove':
      await dispatch(deleteEmployee(operation.employee.id)).unwrap()
      return
    case 'restore':
      await dispatch(restoreEmployee(operation.employee)).unwrap()
      return
    case 'import':
    case 'undo-import': {
      const { batch, key } = operation
      return await dispatch(writeBatch({ batch, key, ...options })).unwrap()
    }
  }
}

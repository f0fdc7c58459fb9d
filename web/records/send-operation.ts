import type { Store } from '../store.ts'
import { addEmployee, deleteEmployee, restoreEmployee, updateEmployee } from './book-slice.ts'
import type { Operation } from './operation.ts'

/** Carries an operation out through the store; rejects with what the thunk was rejected with. */
export async function sendOperation(dispatch: Store['dispatch'], operation: Operation): Promise<void> {
  switch (operation.kind) {
    case 'add':
      await dispatch(addEmployee(operation)).unwrap()
      return
    case 'update':
      await dispatch(updateEmployee(operation.employee)).unwrap()
      return
    case 'remove':
      await dispatch(deleteEmployee(operation.employee.id)).unwrap()
      return
    case 'restore':
      await dispatch(restoreEmployee(operation.employee)).unwrap()
  }
}

/** fake-indexeddb, with what the simulation looks into. */
export { forceCloseDatabase, IDBFactory, IDBObjectStore, IDBTransaction } from 'fake-indexeddb'

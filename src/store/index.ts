export { createMemoryStores } from './memory/memory-stores.js';
export { acquireHomeLock, type HomeLock } from './sqlite/home-lock.js';
export { locateDatabase } from './sqlite/locate-database.js';
export { openSqliteStores, type SqliteStoreOptions } from './sqlite/sqlite-stores.js';

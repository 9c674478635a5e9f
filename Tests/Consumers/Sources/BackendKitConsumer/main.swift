import BackendKit

let backend = try Backend(database: ":memory:")
precondition(backend.port != 0)
backend.stop()

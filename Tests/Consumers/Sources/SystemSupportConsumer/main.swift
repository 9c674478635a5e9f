import SystemSupport

let spawner = ProcessSpawner(["true"])
precondition((try? spawner.spawn()) != nil)

import Persistence

/// Logs what a cache does.
struct CacheLog: FileCacheObserver {
    let logger = Logger(label: "cache")

    func didHit(_ name: String, age: Duration) {
        logger.debug("hit", metadata: ["name": "\(name)", "age": "\(age)"])
    }
    func didMiss(_ name: String) { logger.debug("miss", metadata: ["name": "\(name)"]) }
    func didWrite(_ name: String, bytes: Int) {
        logger.debug("write", metadata: ["name": "\(name)", "bytes": "\(bytes)"])
    }
}

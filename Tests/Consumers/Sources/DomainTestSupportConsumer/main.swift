import Domain
import DomainTestSupport

// The test doubles of the ports. A program implements the ports itself.
let server = ResourceAPIStub<[Salon]>(.success([Samples.salon()]))
let cache = CacheSpy<[Salon]>()
let clock = ManualClock(Timestamp(secondsSince1970: 0))

let loader = ResourceLoader(
    policy: .salons,
    server: server,
    cache: cache,
    clock: clock,
    emptyValue: []
)
let loaded = try await loader.load()
print(loaded.value.count, loaded.provenance.source)

// Without a connection, the list comes from the cache for a week.
server.answer(.failure(.connectivity(reason: "no network")))
clock.advance(bySeconds: 60)
let cached = try await loader.load()
precondition(loaded.provenance.source == .server && cached.provenance.source == .cache)

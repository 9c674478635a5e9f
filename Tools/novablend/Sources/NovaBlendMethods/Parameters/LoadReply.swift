import Contract
import Domain
import JSON
import JSONRPC

/// The shared code of methods that load lists: the parameter `policy`, and the provenance in results.
enum LoadReply {
    static let policy = policy(default: .serverFirst)

    static func policy(default standard: LoadStrategy) -> Method.Parameter {
        let others = LoadStrategy.allCases.filter { $0 != standard }.map(\.rawValue)
        var policy = Method.Parameter(
            "policy",
            others.reduce("the source: \(standard.rawValue) (default)") { "\($0), \($1)" },
            .string(in: LoadStrategy.allCases.map(\.rawValue))
        )
        policy.agentUse.isUnlisted = true
        return policy
    }

    static func strategy(
        of call: Call,
        default standard: LoadStrategy = .serverFirst
    ) throws(RPCError) -> LoadStrategy {
        guard let name = try call.params.string(policy.name) else { return standard }
        guard let strategy = LoadStrategy(rawValue: name) else {
            let known = LoadStrategy.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParams("\"policy\" must be one of \(known)", parameter: "policy")
        }
        return strategy
    }

    static func load<Value>(
        _ loader: ResourceLoader<Value>,
        _ call: Call,
        default standard: LoadStrategy = .serverFirst
    ) async throws -> Loaded<Value> {
        let strategy = try strategy(of: call, default: standard)
        if strategy != .cacheOnly { call.report("waiting for the server") }
        let loaded = try await loader.load(strategy)
        call.report("loaded from: \(loaded.provenance.source.rawValue)")
        if strategy == .staleWhileRevalidate, loaded.provenance.source == .cache {
            Task { try? await loader.update() }
        }
        return loaded
    }

    /// Throws if nothing was loaded, so that an unknown list is not reported as empty.
    static func requireSource(_ provenance: Provenance) throws(RPCError) {
        guard provenance.source == .none else { return }
        let reason = provenance.warning ?? "nothing is cached"
        throw RPCError(provenance.serverError ?? .connectivity(reason: reason))
    }

    /// Throws if the value came from the cache because the server did not respond: data that is not
    /// cached may exist at the server.
    static func requireCurrent(_ provenance: Provenance) throws(RPCError) {
        try requireSource(provenance)
        let isCached = provenance.source == .cache
        switch provenance.serverError {
        case .unavailable(let reason, let seconds)? where isCached:
            throw ProgramError.unavailable.error(
                "The server is unavailable, and the cached list does not contain this: \(reason)",
                retryAfterSeconds: seconds
            )
        case let error?: throw RPCError(error)
        case nil where isCached && provenance.warning != nil:
            throw ProgramError.unavailable.error(
                "The server did not respond in time, and the cached list does not contain this",
                advice: "call again later"
            )
        case nil: break
        }
    }

    static func write(_ provenance: Provenance, to writer: inout JSONWriter) {
        writer.object("provenance") { writer in
            writer.member("source", provenance.source.rawValue)
            if !provenance.isComplete { writer.member("complete", false) }
            writer.member("fetchedAt", provenance.fetchedAt.map(ISO8601.formatUTC))
            writer.member("ageSeconds", provenance.ageSeconds)
            writer.member("expiresAt", provenance.expiresAt.map(ISO8601.formatUTC))
            writer.member("serverError", provenance.serverError?.description)
            writer.member("cacheError", provenance.cacheError?.description)
            writer.member("warning", provenance.warning)
        }
    }
}

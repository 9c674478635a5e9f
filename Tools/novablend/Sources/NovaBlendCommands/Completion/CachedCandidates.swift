import CommandLineKit
import Domain
import NovaBlendAdapters
import NovaBlendEngine
import NovaBlendMethods
import NovaBlendTextSearch

/// The values that shells offer for salons, services, staff members, and times. They come from the
/// cache, whatever its age. No request is sent, and no token is read.
enum CachedCandidates {
    static func find(_ request: CompletionRequest) async -> [CompletionCandidate] {
        let invocation = request.invocation
        // Without the invalid option, the candidates may be those of a different server.
        guard !request.hasInvalidOption,
            let command = NovaBlendProgram.methodCommands.first(where: {
                $0.name == invocation.command.name
            }),
            let input = command.inputs.first(where: { $0.spelling == request.name }),
            let settings = try? Settings.load(invocation), !settings.isSandbox,
            let configuration = try? settings.configuration(sandbox: nil)
        else { return [] }
        let salons = Composition(configuration, isDryRun: true).salons
        if input.kind == .salon || input.kind == .salonWords {
            return names(of: salons.cachedNames(completing: request.typed), request)
        }
        let salon = command.inputs.first { $0.kind == .salon }.flatMap { invocation[$0] }
            .flatMap(salons.cachedSalon)
        guard let salon else { return [] }
        switch input.kind {
        case .service:
            let services = salon.services.map { ($0.id, $0.name, "\($0.minutes) min") }
            return members(of: services, request)
        case .staffMember:
            return members(of: salon.staff.map { ($0.id, $0.name, nil) }, request)
        case .time, .startTime, .endTime:
            return times(at: salon, command.inputs, request)
        default: return []
        }
    }

    /// The salons by their names, with the places of those that share a name.
    private static func names(
        of salons: [LoadedSalons.Name],
        _ request: CompletionRequest
    ) -> [CompletionCandidate] {
        let candidates = salons.map { salon in
            let text = salon.isShared ? "\(salon.name) \(salon.location)" : salon.name
            return Candidate(
                id: salon.id,
                name: salon.isNamed && isTypeable(text) ? text : nil,
                summary: "\(salon.name), \(salon.location)"
            )
        }
        return offered(candidates, request)
    }

    private struct Candidate {
        let id: String
        /// What a person types instead of the id; nil if that is not possible.
        let name: String?
        let summary: String?
    }

    /// The names, and the ids of what has none. An id that does not begin with what was typed is offered
    /// only alone: bash replaces what was typed by what all candidates have in common.
    private static func offered(
        _ candidates: [Candidate],
        _ request: CompletionRequest
    ) -> [CompletionCandidate] {
        var seen: Set<String> = []
        return candidates.compactMap { candidate in
            guard let name = candidate.name else {
                let continues = candidate.id.hasPrefix(request.typed.lowercased())
                return continues || candidates.count == 1
                    ? CompletionCandidate(candidate.id, summary: candidate.summary) : nil
            }
            return seen.insert(name).inserted
                ? CompletionCandidate(name, summary: candidate.summary) : nil
        }
    }

    /// The times for the service and the staff member that were typed.
    private static func times(
        at salon: Salon,
        _ inputs: [MethodInput],
        _ request: CompletionRequest
    ) -> [CompletionCandidate] {
        var options = BookingOptions()
        for input in inputs {
            guard let typed = request.invocation[input] else { continue }
            func isTyped(_ id: String, _ name: String) -> Bool {
                id == typed || TextQuery.isSame(name, typed)
            }
            switch input.kind {
            case .service:
                options.serviceID = salon.services.first { isTyped($0.id, $0.name) }?.id
            case .staffMember: options.staffID = salon.staff.first { isTyped($0.id, $0.name) }?.id
            default: break
            }
        }
        return GridTimes(of: salon, options).candidates(completing: request.typed)
    }

    /// The members of a salon whose name begins with what was typed. Several with one name are offered
    /// once; the command then lists their ids.
    private static func members(
        of all: [(id: String, name: String, summary: String?)],
        _ request: CompletionRequest
    ) -> [CompletionCandidate] {
        let start = TextPrefix(request.typed)
        let candidates = all.compactMap { id, name, summary -> Candidate? in
            let begins = start.begins(name)
            guard begins || id.hasPrefix(request.typed) else { return nil }
            let sameName = all.filter { TextQuery.isSame($0.name, name) }
            // Several with one name are one candidate, in one spelling.
            let spelling = sameName.first?.name ?? name
            let isName = begins && isTypeable(spelling) && start.begins(spelling)
            return Candidate(
                id: id,
                name: isName ? spelling : nil,
                summary: isName ? (sameName.count == 1 ? summary : nil) : name
            )
        }
        return offered(candidates, request)
    }

    /// Whether a shell can pass the name as an argument: it is not mistaken for an option, and has no
    /// line ends.
    private static func isTypeable(_ name: String) -> Bool {
        !name.utf8.starts(with: "-".utf8) && SafeText.line(name) == name
    }
}

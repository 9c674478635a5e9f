import Contract
import Domain
import DomainTestSupport
import Synchronization
import SystemTestSupport

/// A server of salons that changes them at random between its answers, and loses, delays, repeats, and
/// damages answers. Other data changes all the time. Its feed may be limited, not exist, or fail, and it
/// writes ids in any letter case. Callers see different salons.
final class HistoryServer: Sendable {
    /// What the feed can do.
    fileprivate struct Features {
        var acceptsKinds: Bool
        /// Whether a page says whether there are more.
        var saysMore: Bool
        /// Whether ids are in upper case in lists, in changes, and in deletions.
        var isUpperCase: (list: Bool, changed: Bool, deleted: Bool)
        /// The status of each answer of the feed, if it does not work.
        var failure: Int?

        init(using generator: inout SeededGenerator) {
            func flip() -> Bool { Bool.random(using: &generator) }
            acceptsKinds = flip()
            saysMore = flip()
            isUpperCase = (flip(), flip(), flip())
            let failures = [401, 403, 404, 202, 502]
            failure =
                Int.random(in: 0..<4, using: &generator) == 0
                ? failures.randomElement(using: &generator) : nil
        }
    }

    fileprivate struct State {
        var generator: SeededGenerator
        var features: Features
        var hasFaults = true
        /// The salons that exist, by their numbers.
        var salons: [UInt8: Salon] = [:]
        /// The numbers of the salons that were changed or deleted, in order; nil for a change of
        /// something else.
        var log: [UInt8?] = []
        /// How many changes the server has forgotten.
        var forgotten = 0
        /// A restored database has a different history.
        var epoch = 0
        /// Who the caller is. One of them sees everything, and the other one even numbers only.
        var caller = 0
        /// The last answer to each request.
        var answers: [String: Answer] = [:]
    }

    fileprivate struct Answer {
        var status = 200
        var cursor: String?
        var body = ""
    }

    private final class Shared: Sendable {
        let state: Mutex<State>

        init(_ state: State) { self.state = Mutex(state) }
    }

    private let shared: Shared
    private let server: LoopbackServer
    var origin: String { server.url }

    init(_ generator: SeededGenerator) throws {
        var generator = generator
        let features = Features(using: &generator)
        var state = State(generator: generator, features: features)
        for number in 0..<10 { state.change(UInt8(number)) }
        let shared = Shared(state)
        self.shared = shared
        server = try LoopbackServer(isRecording: false) { exchange in
            let answer = shared.state.withLock { $0.answer(exchange.path) }
            if let answer {
                let cursor = answer.cursor.map { ["Changes-Cursor: \($0)"] } ?? []
                exchange.reply("\(answer.status) X", headers: cursor, body: answer.body)
            }
            exchange.end()
        }
    }

    /// Ends all faults and changes, and returns the salons.
    func stopChanges() -> [Salon] {
        shared.state.withLock { state in
            state.hasFaults = false
            state.features.failure = nil
            return state.visible
        }
    }

    /// Continues with faults and changes.
    func resume() {
        shared.state.withLock { state in
            state.hasFaults = true
            state.caller = Int.random(in: 0...1, using: &state.generator)
            state.answers = [:]
            state.features = HistoryServer.Features(using: &state.generator)
        }
    }
}

extension HistoryServer.State {
    /// Creates, changes, or deletes a salon.
    fileprivate mutating func change(_ number: UInt8) {
        var salon = Samples.salon(number)
        // The version also grows if a salon is created again after its deletion.
        salon.version = log.count + 1
        salon.name = "\(number).\(log.count)"
        let isDeleted = salons[number] != nil && Int.random(in: 0..<3, using: &generator) == 0
        salons[number] = isDeleted ? nil : salon
        log.append(number)
    }

    /// The answer to a request; nil if it is lost.
    fileprivate mutating func answer(_ path: String) -> HistoryServer.Answer? {
        guard hasFaults else { return current(path) }
        for _ in 0..<Int.random(in: 0...20, using: &generator) { log.append(nil) }
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            change(UInt8.random(in: 0..<20, using: &generator))
        }
        let old = answers[path]
        let new = current(path)
        answers[path] = new
        switch Int.random(in: 0..<16, using: &generator) {
        case 0: return nil
        case 1, 2: return old ?? new
        case 3: return HistoryServer.Answer(status: 503)
        case 4: return HistoryServer.Answer(status: 410)
        case 5: return HistoryServer.Answer(body: String(new.body.dropLast(3)))
        case 6:
            forgotten = Int.random(in: forgotten...log.count, using: &generator)
            return new
        case 7:
            (epoch, answers) = (epoch + 1, [:])
            return new
        default: return new
        }
    }

    /// The answer without a fault: the list, or a page of the feed.
    private mutating func current(_ path: String) -> HistoryServer.Answer {
        let cursor = path.firstMatch(of: /since=([0-9]+)\.([0-9]+)\.([0-9]+)/)
        guard let since = cursor?.output else {
            let body = list(visible, isUpperCase: features.isUpperCase.list)
            return HistoryServer.Answer(cursor: self.cursor(log.count), body: body)
        }
        if let failure = features.failure { return HistoryServer.Answer(status: failure) }
        let isLimited = path.contains("kinds=")
        if isLimited, !features.acceptsKinds { return HistoryServer.Answer(status: 422) }
        guard Int(since.1) == epoch, Int(since.3) == caller, let start = Int(since.2),
            start >= forgotten
        else {
            return HistoryServer.Answer(status: 410)
        }
        return page(after: start, isLimited: isLimited)
    }

    private mutating func page(after start: Int, isLimited: Bool) -> HistoryServer.Answer {
        var (end, count) = (start, Int.random(in: 1...4, using: &generator))
        while end < log.count, count > 0 {
            // A server that does not say whether there is more sends an empty page only at the end.
            let isSeen = log[end].map(sees) ?? !isLimited
            if isSeen || (features.saysMore && !isLimited) { count -= 1 }
            end += 1
        }
        let numbers = Set(log[start..<end].compactMap(\.self)).filter(sees).sorted()
        let deleted = numbers.filter { salons[$0] == nil }.map { number in
            let id = "\(Samples.salonID(number))"
            let text = features.isUpperCase.deleted ? id.uppercased() : id
            return #"{"kind":"salon","id":"\#(text)"}"#
        }.joined(separator: ",")
        let changed = list(
            numbers.compactMap { salons[$0] },
            isUpperCase: features.isUpperCase.changed
        )
        let more = features.saysMore ? #""more":\#(end < log.count),"# : ""
        let others = isLimited || !log[start..<end].contains(nil) ? "" : "{}"
        let body =
            #"{"cursor":"\#(cursor(end))",\#(more)"appointments":[\#(others)],"#
            + #""deleted":[\#(deleted)],"# + changed.dropFirst()
        return HistoryServer.Answer(body: body)
    }

    private func cursor(_ number: Int) -> String { "\(epoch).\(number).\(caller)" }

    /// Whether the caller sees the salon with this number.
    private func sees(_ number: UInt8) -> Bool { caller == 0 || number.isMultiple(of: 2) }

    /// The salons that the caller sees.
    fileprivate var visible: [Salon] {
        salons.keys.sorted().filter(sees).compactMap { salons[$0] }
    }

    private func list(_ salons: [Salon], isUpperCase: Bool) -> String {
        let text = String(decoding: SalonListCodec.encode(salons), as: UTF8.self)
        guard isUpperCase else { return text }
        return salons.reduce(text) { text, salon in
            text.replacing("\(salon.id)", with: "\(salon.id)".uppercased())
        }
    }
}

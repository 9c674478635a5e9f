import Contract
import Domain
import DomainTestSupport
import Persistence
import PersistenceTestSupport
import Synchronization
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("Whose a cached list is")
struct KnownSubjectsTests {
    private final class Credential: Sendable {
        private let bytes = Mutex<[UInt8]?>(Array("first secret".utf8))
        var present: [UInt8]? { bytes.withLock(\.self) }
        func change(to text: String?) { bytes.withLock { $0 = text.map { Array($0.utf8) } } }
    }

    private let credential = Credential()
    private let state = InMemorySnapshotStore()
    private let store = InMemorySnapshotStore()
    private let memory = ListMemory()

    /// What a process knows that starts now.
    private func subjects() -> KnownSubjects {
        KnownSubjects(store: state) { [credential] in credential.present }
    }

    private func cache(_ subjects: KnownSubjects) -> StoredResource<AppointmentListCodec> {
        StoredResource(
            name: "appointments",
            url: "http://a.test/",
            store: store,
            memory: memory,
            subjects: subjects
        )
    }

    /// Loads the list of `subject` with the present credentials.
    private func load(_ subject: String?, _ appointment: UInt8) throws {
        let subjects = subjects()
        subjects.record(subject)
        let list = CachedValue(
            value: [Samples.appointment(appointment)],
            fetchedAt: Timestamp(secondsSince1970: 1),
            validators: "v\(appointment)",
            cursor: "1"
        )
        #expect(try cache(subjects).replace(with: list) { true })
    }

    @Test(
        "a first booking is stored if the subjects are in the directory of the lists",
        .timeLimit(.minutes(2))
    )
    func sharedDirectory() throws {
        let directory = try TemporaryDirectory()
        let files = FileSnapshotStore(directory: directory.path)
        let subjects = KnownSubjects(store: files) { [credential] in credential.present }
        let cache = StoredResource<AppointmentListCodec>(
            name: "appointments",
            url: "http://a.test/",
            store: files,
            subjects: subjects
        )
        try cache.update { _ in [Samples.appointment(1)] }
        let cached = try #require(try cache.retrieve())
        #expect(cached.value == [Samples.appointment(1)] && cached.warning == nil)
        // The credential is recognized, although no list has stated a subject.
        credential.change(to: "second secret")
        #expect(try #require(try cache.retrieve()).warning != nil)
    }

    @Test("a list is shown to its customer, also with a new token that the server has confirmed")
    func own() throws {
        try load("anna", 1)
        #expect(try cache(subjects()).retrieve()?.value == [Samples.appointment(1)])
        credential.change(to: "second secret")
        subjects().record("anna")
        let cached = try #require(try cache(subjects()).retrieve())
        #expect(cached.value == [Samples.appointment(1)] && cached.warning == nil)
        #expect(cache(subjects()).validators() == "v1")
    }

    @Test(
        "a list of a different customer is not shown, not confirmed, not followed, and not deleted"
    )
    func other() throws {
        credential.change(to: "second secret")
        subjects().record("berta")
        credential.change(to: "first secret")
        try load("anna", 1)
        // One that is in memory is hidden, too.
        for subjects in [subjects(), subjects()] {
            credential.change(to: "second secret")
            let cache = cache(subjects)
            #expect(try cache.retrieve() == nil && cache.elements() == nil)
            #expect(cache.validators() == nil && cache.state() == nil)
            credential.change(to: "first secret")
            #expect(try cache.retrieve()?.value == [Samples.appointment(1)])
            #expect(cache.state() != nil)
        }
    }

    @Test(
        "with credentials that are new or not known, a list is shown with a warning",
        arguments: ["new", nil]
    )
    func unknown(secret: String?) throws {
        for subject in ["anna", nil] {
            credential.change(to: "first secret")
            try load(subject, 1)
            credential.change(to: secret)
            // The second time, the list is in memory.
            for _ in 1...2 {
                let cached = try #require(try cache(subjects()).retrieve())
                #expect(cached.value == [Samples.appointment(1)])
                #expect(cached.warning?.contains("not known whether") == true)
            }
            // Neither a 304 nor a feed for other credentials says anything about it.
            #expect(cache(subjects()).validators() == nil && cache(subjects()).state() == nil)
        }
    }

    @Test("without a subject and with the same credentials, a list is shown without a warning")
    func plainServer() throws {
        try load(nil, 1)
        let cached = try #require(try cache(subjects()).retrieve())
        #expect(cached.warning == nil && cache(subjects()).validators() == "v1")
    }

    @Test("a list from before a subject was stated is shown without a warning")
    func unowned() throws {
        let cache = cache(subjects())
        try cache.add(Samples.appointment(1))
        subjects().record("anna")
        #expect(try cache.retrieve()?.warning == nil)
    }

    @Test("an own booking leaves the list with its owner")
    func booked() throws {
        try load("anna", 1)
        credential.change(to: "new")
        try cache(subjects()).add(Samples.appointment(2))
        #expect(try cache(subjects()).retrieve()?.warning != nil)
        credential.change(to: "first secret")
        let cached = try #require(try cache(subjects()).retrieve())
        #expect(cached.value.count == 2 && cached.warning == nil)
    }

    @Test("the files contain no credential and no subject, and a damaged one is replaced")
    func file() throws {
        try load("anna", 1)
        let payload = try #require(try state.load("subjects")?.payload)
        let text = String(decoding: payload, as: UTF8.self)
        #expect(!text.contains("anna") && !text.contains("secret"))
        let list = try #require(try store.load("appointments"))
        let metadata = String(decoding: list.metadata, as: UTF8.self)
        // The last is the subject in base64.
        for mark in ["anna", "secret", "YW5uYQ"] { #expect(!metadata.contains(mark)) }
        try state.replace("subjects", with: Snapshot(payload: Array("{".utf8)))
        #expect(try cache(subjects()).retrieve()?.warning != nil)
        try load("anna", 1)
        #expect(try cache(subjects()).retrieve()?.warning == nil)
    }

    @Test("the oldest of many credentials is forgotten, and the server's last statement counts")
    func many() throws {
        var hashes: [String?] = []
        for number in 0...32 {
            credential.change(to: "secret \(number)")
            subjects().record("\(number)")
            subjects().record("\(number)")
            hashes.append(subjects().present.subject)
        }
        #expect(Set(hashes.compactMap(\.self)).count == 33)
        #expect(subjects().present.subject == hashes[32])
        credential.change(to: "secret 0")
        #expect(subjects().present.subject == nil)
        credential.change(to: "secret 5")
        #expect(subjects().present.subject == hashes[5])
        subjects().record("7")
        #expect(subjects().present.subject == hashes[7])
        subjects().record(nil)
        #expect(subjects().present.subject == nil)
    }

    @Test(
        "an owner is one line, whatever the subject contains",
        arguments: ["a b", "\n", "", "\u{1F469}"]
    )
    func line(subject: String) {
        for credential in ["abc", nil] {
            let owner = KnownSubjects.Owner(subject: subject, credential: credential)
            #expect(!owner.line.contains("\n"))
            #expect(KnownSubjects.Owner(line: owner.line) == owner)
        }
        #expect(KnownSubjects.Owner(line: "") == KnownSubjects.Owner())
        #expect(KnownSubjects.Owner().line.isEmpty)
    }
}

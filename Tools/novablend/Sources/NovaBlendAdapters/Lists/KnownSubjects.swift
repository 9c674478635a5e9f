import Domain
import JSON
import NovaBlendSystemSodium
package import Persistence
import Synchronization

/// Which customer, the server's `subject`, each credential of an account belongs to, as far as the server
/// has stated it. So a cached list of one customer is not shown to another one, even offline.
///
/// A file in the account's state has a random key and, for each credential, its hash under that key with
/// the hash of the subject that the server stated last. It contains no credential and no subject, which may
/// contain a phone number.
package final class KnownSubjects: Sendable {
    /// Whose a cached list is.
    enum Ownership: Equatable {
        /// The present credentials loaded it, or those of the same subject.
        case own
        /// It is not known whose it is: the credentials are new, or a program must be run to get them.
        case unknown
        /// It belongs to a different subject.
        case other
    }

    /// What is stored with a cached list.
    struct Owner: Equatable {
        /// The hash of the subject of the list; nil if the server states none.
        var subject: String?
        /// The hash of the credential that loaded it; nil if it is not known.
        var credential: String?
    }

    fileprivate struct Contents {
        var key: [UInt8]
        /// The hashes of the credentials and those of their subjects, the newest last.
        var subjects: [(credential: String, subject: String)] = []

        func subject(of credential: String) -> String? {
            subjects.last { $0.credential == credential }?.subject
        }
    }

    private static let name = "subjects"
    /// The number of credentials that are remembered.
    private static let maximumCount = 32
    private static let isReady = sodium_init() >= 0

    private let store: any SnapshotStore
    private let secret: @Sendable () -> [UInt8]?
    /// The contents of the file; nil until it was read.
    private let contents = Mutex<Contents?>(nil)

    /// - Parameter secret: Returns the present credential; nil if it is not known.
    package init(store: any SnapshotStore, secret: @escaping @Sendable () -> [UInt8]?) {
        (self.store, self.secret) = (store, secret)
    }

    /// Remembers that the server has stated this subject for the present credential, or none.
    package func record(_ subject: String?) {
        guard Self.isReady, let secret = secret() else { return }
        let stated = subject.map { Array($0.utf8) }
        if let known = read(),
            known.subject(of: Self.hash(secret, known.key))
                == stated.map({ Self.hash($0, known.key) })
        {
            return
        }
        update { contents in
            let credential = Self.hash(secret, contents.key)
            contents.subjects.removeAll { $0.credential == credential }
            if let stated {
                contents.subjects.append((credential, Self.hash(stated, contents.key)))
            }
            contents.subjects = contents.subjects.suffix(Self.maximumCount)
        }
    }

    /// The owner of a list that is stored for the present credential. Creates a missing key, so that the
    /// credential can be recognized later.
    func ownerToStore() -> Owner {
        if Self.isReady, read() == nil { update { _ in } }
        return present
    }

    /// Changes the stored subjects. Creates a missing key.
    private func update(_ change: (inout Contents) -> Void) {
        try? store.update(Self.name) { current in
            var changed = current.flatMap { Contents($0.payload) } ?? Contents(key: Self.newKey())
            change(&changed)
            contents.withLock { $0 = changed }
            return Snapshot(payload: changed.bytes)
        }
    }

    /// These subjects, for a dry run, which stores none.
    package var readOnly: KnownSubjects {
        KnownSubjects(store: ReadOnlyStore(store), secret: secret)
    }

    /// The owner of a list that the server sends for the present credential.
    var present: Owner {
        guard let contents = read(), let secret = secret() else { return Owner() }
        let credential = Self.hash(secret, contents.key)
        return Owner(subject: contents.subject(of: credential), credential: credential)
    }

    func ownership(of owner: Owner) -> Ownership {
        if owner == Owner() { return .own }
        let present = present
        if let subject = owner.subject, let own = present.subject {
            return subject == own ? .own : .other
        }
        return owner.credential != nil && owner.credential == present.credential ? .own : .unknown
    }

    private func read() -> Contents? {
        if let known = contents.withLock(\.self) { return known }
        guard Self.isReady, let snapshot = try? store.load(Self.name),
            let read = Contents(snapshot.payload)
        else { return nil }
        contents.withLock { $0 = read }
        return read
    }

    private static func newKey() -> [UInt8] {
        var key = [UInt8](repeating: 0, count: Int(crypto_generichash_KEYBYTES))
        randombytes_buf(&key, key.count)
        return key
    }

    /// What stands for a subject that the list of appointments at `url` states, in memory and in the
    /// journal. It is the same in every process, so that callers can be compared.
    static func pseudonym(of subject: String, at url: String) -> String? {
        isReady ? hash(Array("\(url)\n\(subject)".utf8), []) : nil
    }

    private static func hash(_ secret: [UInt8], _ key: [UInt8]) -> String {
        var hash = [UInt8](repeating: 0, count: 16)
        crypto_generichash(&hash, hash.count, secret, UInt64(secret.count), key, key.count)
        return Base64.encodeURL(hash)
    }
}

extension KnownSubjects.Contents {
    /// Reads the file; nil if it is damaged, so that it is replaced.
    fileprivate init?(_ bytes: [UInt8]) {
        guard let object = try? JSONDocument(parsing: bytes).root.object(),
            let text = try? object.required("key").string(), let key = Base64.decodeURL(text),
            key.count == Int(crypto_generichash_KEYBYTES),
            let entries = try? object.required("subjects").array()
        else { return nil }
        self.init(key: key)
        for entry in entries {
            guard let entry = try? entry.object(),
                let credential = try? entry.required("credential").string(),
                let subject = try? entry.required("subject").string()
            else { continue }
            subjects.append((credential, subject))
        }
    }

    fileprivate var bytes: [UInt8] {
        JSONFragment.object { writer in
            writer.member("key", Base64.encodeURL(key))
            writer.key("subjects")
            writer.array { writer in
                for (credential, subject) in subjects {
                    writer.object { writer in
                        writer.member("credential", credential)
                        writer.member("subject", subject)
                    }
                }
            }
        }.bytes
    }
}

extension KnownSubjects.Owner {
    /// One line without a line feed; empty if nothing is known.
    var line: String {
        guard self != Self() else { return "" }
        let stated = subject.map { " " + Base64.encodeURL(Array($0.utf8)) }
        return (credential ?? "-") + (stated ?? "")
    }

    init(line: String) {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        credential = parts.first.flatMap { ["", "-"].contains($0) ? nil : String($0) }
        subject = parts.dropFirst().first.flatMap { Base64.decodeURL(String($0)) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import SystemTestSupport
import Testing

@testable import SQLiteStorage

@Suite("Copies of a database that go on from an earlier state", .timeLimit(.minutes(10)))
struct RestoredCopyTests {
    /// A database, and what was changed in it and in those of which it is a copy.
    private struct File {
        let path: String
        var store: SQLiteBookingStore
        /// The numbers of the changes, which count those in all files.
        var history: [Int] = []
    }

    /// A copy of the lists that follows the changes of any file.
    private struct Follower {
        let lists: ChangeFollower
        /// The history of the file from which it was read.
        let history: [Int]
    }

    /// Files that are copied, opened again, and changed at random.
    private final class Files {
        private let directory: TemporaryDirectory
        private let clock = ManualClock()
        private var random: SeededGenerator
        private var files: [File] = []
        private var followers: [Follower] = []
        private var changeCount = 0

        init(seed: UInt64) async throws {
            random = SeededGenerator(seed: seed)
            directory = try TemporaryDirectory()
            try add("0", [])
            try await read(files[0])
        }

        deinit { for file in files { file.store.close() } }

        private func below(_ count: Int) -> Int {
            Int.random(in: 0..<count, using: &random)
        }

        private func add(_ name: String, _ history: [Int]) throws {
            let path = directory.file(name)
            files.append(File(path: path, store: try open(path), history: history))
        }

        private func open(_ path: String) throws -> SQLiteBookingStore {
            try SQLiteBookingStore(path: path, clock: clock, newSalons: [Samples.salon()])
        }

        private func read(_ file: File) async throws {
            let lists = try await ChangeFollower(file.store)
            followers.append(Follower(lists: lists, history: file.history))
        }

        func step() async throws {
            let index = below(files.count)
            switch below(10) {
            case 0, 1: try copy(files[index], atOnce: below(2) == 0)
            case 2, 3:
                files[index].store.close()
                files[index].store = try open(files[index].path)
            default:
                try await change(files[index])
                files[index].history.append(changeCount)
                changeCount += 1
            }
            try await read(files[index])
        }

        /// Copies a file that is in use, with `backup` or a different program.
        private func copy(_ file: File, atOnce isBackup: Bool) throws {
            let name = "\(files.count)"
            if isBackup {
                try SQLiteBookingStore.backUp(file.path, to: directory.file(name))
            } else {
                let database = try Database(path: file.path, access: .write)
                try database.execute("VACUUM INTO '\(directory.file(name))'")
            }
            try add(name, file.history)
        }

        private func change(_ file: File) async throws {
            let appointments = try await file.store.appointments(after: nil, limit: 1_000)
            let booked = appointments.filter { $0.status == .booked }
            switch below(4) {
            case 0:
                var salon = Samples.salon()
                salon.name = "name \(changeCount)"
                try await file.store.put(salon, if: .present)
            case 1 where !booked.isEmpty:
                try await file.store.change(booked[below(booked.count)].id, as: nil) { stored, _ in
                    stored.status = .cancelled
                    return nil
                }
            default:
                let booking = Samples.booking(hours: Int64(changeCount))
                try await file.store.book(booking, as: nil, minutes: 30)
            }
        }

        /// Lets each follower go on with each file. That must succeed if the file has all changes that
        /// the follower knows, in the same order, and must fail otherwise.
        func check() async throws {
            for file in files {
                for follower in followers {
                    var lists = follower.lists
                    if file.history.starts(with: follower.history) {
                        try await lists.follow(file.store, limit: 2)
                        try await lists.compare(with: file.store)
                    } else {
                        await #expect(
                            throws: Problem.cursorTooOld,
                            "\(follower.history) in \(file.history)"
                        ) { try await lists.follow(file.store, limit: 2) }
                    }
                }
            }
        }
    }

    @Test(
        "reject the positions that they lack, and followers of the others equal their lists",
        arguments: 0..<20 as Range<UInt64>
    )
    func histories(seed: UInt64) async throws {
        let files = try await Files(seed: seed)
        for step in 0..<40 {
            try await files.step()
            if step % 4 == 3 { try await files.check() }
        }
    }

    @Test("delete the terms whose positions are too old")
    func oldTerms() async throws {
        let database = try TemporaryDatabase()
        let terms = "SELECT first_number FROM terms"
        func change() async throws {
            let store = try SQLiteBookingStore(
                path: database.path,
                clock: ManualClock(),
                newSalons: [Samples.salon()]
            )
            defer { store.close() }
            try await store.put(Samples.salon(), if: .present)
        }
        for _ in 0..<4 { try await change() }
        #expect(try database.run(terms) == ["0", "0", "1", "2", "3"])
        try database.run("UPDATE change_feed SET first_number = 3")
        try await change()
        // The position after the third change is not too old.
        #expect(try database.run(terms) == ["2", "3", "4"])
    }
}

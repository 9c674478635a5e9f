import Glibc

/// A file, whatever its names are: a device, and a number on it.
public struct FileIdentity: Sendable, Hashable {
    /// The number of the device.
    public let device: UInt
    /// The number of the file on the device.
    public let inode: UInt

    /// The file to which a path leads, through all symbolic links; nil if it does not exist.
    ///
    /// - Parameter path: The path, as a system call takes it.
    public init?(_ path: String) {
        var status = stat()
        guard stat(path.systemBytes, &status) == 0 else { return nil }
        self.init(status)
    }

    /// An open file; nil if the descriptor is not open.
    ///
    /// - Parameter descriptor: The descriptor of the file.
    public init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
    }
}

/// Files that a program needs, and that none of its outputs may therefore replace or change.
///
/// An output meets such a file if its path leads to it through links of any kind, or if it has the path
/// at which the file will be created. No file is opened: closing it would release the locks that other
/// parts of the process hold on it (fcntl(2), "Advisory record locking").
public struct ProtectedFiles: Sendable {
    private let files: [String]
    private let directories: [String]

    /// Protects files, and everything in directories.
    ///
    /// - Parameters:
    ///   - files: Paths of files, which need not exist yet.
    ///   - directories: Paths of directories, whose files are protected at any depth.
    public init(files: [String], directories: [String] = []) {
        self.files = files
        self.directories = directories
    }

    /// The file or directory that an output would change; nil if it would change none.
    ///
    /// - Parameter path: The path that the output is about to create, replace, or extend.
    public func conflict(with path: String) -> String? {
        let (target, places) = (FileIdentity(path), Place.all(of: path))
        let file = files.first { file in
            target != nil && FileIdentity(file) == target
                || !places.isDisjoint(with: Place.all(of: file))
        }
        if let file { return file }
        let ancestors = Set(places.flatMap(\.ancestors))
        return directories.first { FileIdentity($0).map(ancestors.contains) ?? false }
    }

    /// The file that an output changes; nil if it changes none.
    ///
    /// - Parameter descriptor: An open descriptor, such as that of standard output.
    public func conflict(withOpen descriptor: Int32) -> String? {
        guard let target = FileIdentity(descriptor: descriptor) else { return nil }
        return files.first { FileIdentity($0) == target }
    }
}

/// A name in a directory, whether or not a file has it.
private struct Place: Hashable {
    private let directory: FileIdentity
    private let path: String
    private let name: String

    static func == (one: Place, other: Place) -> Bool {
        one.directory == other.directory && one.name == other.name
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(directory)
        hasher.combine(name)
    }

    /// The place of a path and, if it is a symbolic link, the places to which that leads.
    static func all(of path: String) -> Set<Place> {
        var places: Set<Place> = []
        var next: String? = path
        // The system follows as many links (path_resolution(7)).
        for _ in 0...40 {
            guard let path = next, let place = Place(path) else { break }
            places.insert(place)
            next = place.target
        }
        return places
    }

    private init?(_ path: String) {
        let slash = path.lastIndex(of: "/")
        self.path = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        guard !name.isEmpty, let directory = FileIdentity(self.path) else { return nil }
        self.directory = directory
    }

    /// Where the symbolic link at this place leads; nil if it is not one.
    private var target: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("\(path)/\(name)".systemBytes, &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        let target = String(systemBytes: bytes[..<count].map(UInt8.init(bitPattern:)))
        return target.hasPrefix("/") ? target : "\(path)/\(target)"
    }

    /// The directory, the one that contains it, and so on.
    var ancestors: [FileIdentity] {
        guard let resolved = realpath(path.systemBytes, nil) else { return [directory] }
        defer { free(resolved) }
        var rest = String(systemBytes: resolved)
        var ancestors = [directory]
        while rest != "/", let slash = rest.lastIndex(of: "/") {
            rest = slash == rest.startIndex ? "/" : String(rest[..<slash])
            FileIdentity(rest).map { ancestors.append($0) }
        }
        return ancestors
    }
}

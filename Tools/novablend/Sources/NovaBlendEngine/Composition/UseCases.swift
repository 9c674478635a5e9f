import Contract
import Domain
import JSONRPC
import NovaBlendAccounts
import NovaBlendAdapters
import NovaBlendConfiguration
import NovaBlendMethods
import Persistence
import SystemSupport

/// The use cases that share one store for the cache, and the methods that call them.
struct UseCases {
    // There may be thousands of salons, so they are decoded only when they are needed.
    typealias Salons = EncodedListCodec<SalonListCodec>

    let services: Services
    let salons: ResourceLoader<Salons.Model>
    let appointments: ResourceLoader<[Appointment]>
    let lists: [ListedResource.Served]
    let resolution: ResolveBookings
    private let bookedSalons: LoadedSalons
    private let times: ReadSalonTime
    private let booking: BookAppointment
    private let store: any SnapshotStore
    private let images: ImageCache

    init(_ services: Services, lists: [ListedResource], isDryRun: Bool) {
        self.services = services
        let stores = services.stores
        store = isDryRun ? ReadOnlyStore(stores.cache) : stores.cache
        images = isDryRun ? stores.images.readOnly : stores.images
        let endpoints = services.configuration.endpoints
        let salonCache = StoredResource<Salons>(
            name: "salons",
            url: endpoints.salons,
            store: store,
            memory: stores.memory
        )
        let (clients, limits) = (services.clients, services.limits)
        salons = services.makeSalons(clients.reader, limits, salonCache, isDryRun: isDryRun)
        bookedSalons = LoadedSalons(
            services.makeSalons(clients.lookup, limits.prompt, salonCache, isDryRun: isDryRun)
        )
        times = ReadSalonTime(
            salons: bookedSalons,
            zones: services.zones,
            clock: services.clock
        )
        let cache = StoredResource<AppointmentListCodec>(
            name: "appointments",
            url: endpoints.appointments,
            store: store,
            memory: stores.memory,
            subjects: isDryRun ? services.subjects.readOnly : services.subjects
        )
        appointments = services.makeAppointments(cache, isDryRun: isDryRun)
        booking = services.makeBooking(cache, times)
        resolution = ResolveBookings(booking)
        let dependencies = services.makeDependencies(store, images)
        self.lists = lists.map { $0.served(with: dependencies) }
    }
}

extension UseCases {
    var directory: LoadedSalons { LoadedSalons(salons) }

    var methods: [Method] {
        let notifier = services.stores.notifier
        let journal = services.stores.journal
        let ownBookings = OwnBookings(journal: journal, server: services.bookings)
        return SalonMethods(salons, zones: services.zones).all
            + SlotMethods(slots(ownBookings), salons: directory).all
            + ServiceMethods(salons).all
            + SalonChangeMethods(salonChanges, salons: directory, changes: notifier).all
            + appointmentMethods(ownBookings).all
            + lists.flatMap(\.methods) + cacheMethods.all
    }

    private func slots(_ ownBookings: OwnBookings) -> ListSlots {
        ListSlots(
            server: services.bookings,
            appointments: appointments,
            ownBookings: ownBookings,
            salons: directory,
            zones: services.zones,
            clock: services.clock
        )
    }

    private var salonChanges: ChangeSalon {
        let (url, clients) = (services.configuration.endpoints.salons, services.clients)
        return ChangeSalon(
            server: HTTPSalonAPI(list: url, sender: clients.sender, reader: clients.prompt),
            appointments: services.bookings,
            cache: StoredResource<SalonListCodec>(
                name: "salons",
                url: url,
                store: store,
                memory: services.stores.memory
            ),
            counter: services.stores.salonChanges,
            salons: bookedSalons,
            zones: services.zones,
            clock: services.clock
        )
    }

    private func appointmentMethods(_ ownBookings: OwnBookings) -> AppointmentMethods {
        AppointmentMethods(
            loader: appointments,
            booking: booking,
            holding: HoldSlot(server: services.bookings, booking),
            resolution: resolution,
            ownBookings: ownBookings,
            salons: bookedSalons,
            times: times,
            otherAccounts: services.stores.otherAccounts,
            changes: services.stores.notifier,
            version: BuildStamp.current.version
        )
    }

    private var cacheMethods: CacheMethods {
        let configuration = services.configuration
        let (salons, appointments) = (salons, appointments)
        let resources: [CachedResource] =
            [.init("salons", salons, count: { $0.count }), .init("appointments", appointments)]
            + lists.map(\.cached) + [.init("images", images)]
        return CacheMethods(
            store: store,
            images: images,
            resources: resources,
            directory: "\(configuration.cacheDirectory)/\(services.account.subdirectory)",
            journal: services.stores.journal,
            otherAccounts: services.stores.otherAccounts
        )
    }
}

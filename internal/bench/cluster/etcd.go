package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/rivus/agentkit/internal/bench/measure"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.etcd.io/etcd/server/v3/embed"
)

// etcdMutex locks and unlocks a mutex of one session, as a process that holds a
// session for its whole life does.
var etcdMutex = measure.Work{Name: "etcd, one server", Bench: func(b *testing.B) {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{serve(b)}, DialTimeout: 5 * time.Second})
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	session, err := concurrency.NewSession(client, concurrency.WithTTL(10))
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	ctx := context.Background()
	for b.Loop() {
		mutex := concurrency.NewMutex(session, "/work")
		if err := mutex.Lock(ctx); err != nil {
			b.Fatal(err)
		}
		if err := mutex.Unlock(ctx); err != nil {
			b.Fatal(err)
		}
	}
}}

// serve starts an etcd server in this process, on the loopback interface, and
// returns where it listens.
func serve(b *testing.B) string {
	config := embed.NewConfig()
	config.Dir = b.TempDir()
	config.LogLevel = "fatal"
	client, peer := loopback(b), loopback(b)
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	server, err := embed.StartEtcd(config)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(server.Close)
	select {
	case <-server.Server.ReadyNotify():
	case <-time.After(30 * time.Second):
		b.Fatal("the server is not ready after 30 s")
	}
	return client.String()
}

// loopback is an address with a port that was free a moment ago.
func loopback(b *testing.B) url.URL {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	return url.URL{Scheme: "http", Host: fmt.Sprint(listener.Addr())}
}

package guides

import (
	"testing"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/effecttest"
	"github.com/rivus/agentkit/errors"
)

type NotFound struct{ ID string }

func (*NotFound) Tag() string     { return "NotFound" }
func (e *NotFound) Error() string { return "no user " + e.ID }

type Unavailable struct{}

func (*Unavailable) Tag() string   { return "Unavailable" }
func (*Unavailable) Error() string { return "the store is unavailable" }

type UserStore interface {
	Find(id string) effect.Effect[User]
}

type User struct{ Name string }

var Users = effect.NewService[UserStore]("Users")

// greet fails with *Unavailable and with *effect.TimeoutError.
func greet(id string) effect.Effect[string] {
	return effect.Gen(func(do effect.Do) (string, error) {
		users := do.Await(Users.Get())
		user := do.Await(effect.RetryWith(users.Find(id), effect.RetryOptions{Times: mo.Some(2), While: unavailable}).
			Timeout(time.Second).
			CatchAs(func(*NotFound) effect.Effect[User] { return effect.Succeed(User{"stranger"}) }))
		return "hello " + user.Name, nil
	})
}

func unavailable(err error) bool {
	_, ok := errors.AsType[*Unavailable](err)
	return ok
}

// users answers with these, one after the other, and then never.
type users struct{ answers []effect.Effect[User] }

func (u *users) Find(string) effect.Effect[User] {
	return effect.Suspend(func() effect.Effect[User] {
		if len(u.answers) == 0 {
			return effect.Never[User]()
		}
		next := u.answers[0]
		u.answers = u.answers[1:]
		return next
	})
}

func TestTheProgramThatWasPortedDoesWhatItDid(t *testing.T) {
	ann, gone, down := effect.Succeed(User{"Ann"}), effect.Fail[User](&NotFound{"ann"}), effect.Fail[User](&Unavailable{})
	for name, c := range map[string]struct {
		answers []effect.Effect[User]
		want    string
		tag     string
	}{
		"found":              {[]effect.Effect[User]{ann}, "hello Ann", ""},
		"found at last":      {[]effect.Effect[User]{down, down, ann}, "hello Ann", ""},
		"not found":          {[]effect.Effect[User]{gone}, "hello stranger", ""},
		"down for too often": {[]effect.Effect[User]{down, down, down, ann}, "", "Unavailable"},
		"no answer":          {nil, "", "TimeoutError"},
	} {
		t.Run(name, func(t *testing.T) {
			exit := effecttest.Run(t, greet("ann").With(Users.Of(&users{c.answers})))
			tag, _ := errors.TagOf(exit.Cause.AsError())
			if exit.Value != c.want || tag != c.tag {
				t.Errorf("it ended with %v", exit)
			}
		})
	}
}
